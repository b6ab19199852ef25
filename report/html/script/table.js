// SPDX-License-Identifier: MIT
// table.js - tables whose columns are as wide as their widest number, with one line for each row.
//
// A column is { key, label, title, text(row), value(row), kind }: `number`, or `name` and `place`, which are cut to the room
// that the numbers leave. `others` are texts of the column that are no row's. Where a window is narrow, columns go in the order of their `spare`.

const PAD = 20, NAME_LEAST = 210, PLACE_MOST = 190, PLACE_LEAST = 132

function column_width(column, rows) {
	// Digits are equally wide, so texts that differ in digits alone are measured once.
	const shapes = new Set([...rows.map((row) => column.text(row)), ...(column.others ?? [])].map((text) => text.replace(/\d/g, '8')))
	let room = text_width(column.label + (column.sorts ? ' ▾' : ''), '--head-font')
	for (const shape of shapes) room = Math.max(room, text_width(shape, '--number-font'))
	return PAD + room + 2
}

// The columns that fit into WIDTH, each with its `width`; that of the name is what is left.
function choose_columns(columns, rows, width) {
	let chosen = columns.map((c) => ({ ...c, width: c.kind == 'name' ? (c.least ?? NAME_LEAST) : c.kind == 'place' ? PLACE_MOST : column_width(c, rows) }))
	const place_column = chosen.find((c) => c.kind == 'place')
	const taken = () => chosen.reduce((sum, c) => sum + c.width, 0)
	if (place_column) {
		const longest = rows.reduce((most, row) => Math.max(most, place_column.text(row).length), place_column.label.length)
		place_column.width = Math.min(PLACE_MOST, PAD + Math.ceil(longest * letter_width()))
		if (taken() > width) place_column.width = Math.min(place_column.width, PLACE_LEAST)
	}
	for (const spare of columns.filter((c) => c.spare).sort((a, b) => a.spare - b.spare)) if (taken() > width) chosen = chosen.filter((c) => c.key != spare.key)
	const name = chosen.find((c) => c.kind == 'name')
	name.width = Math.max(NAME_LEAST, width - (taken() - name.width))
	// In a wide window, places stand right behind the longest name, and not at the other side of the screen.
	if (place_column) {
		const longest = rows.reduce((most, row) => Math.max(most, name.text(row).length + (name.more?.(row).length ?? -1) + 1), 0) + (name.inset ?? 0)
		const spare = name.width - Math.max(NAME_LEAST, PAD + Math.ceil((longest + 1) * letter_width()))
		const last = chosen.at(-1)
		if (spare > 0) (name.width -= spare), (last.width += spare)
	}
	for (const c of chosen) c.room = Math.floor((c.width - PAD) / letter_width())
	return chosen
}
function table_head(chosen, head_of) {
	const cols = element('colgroup'), head = element('tr'), widest = chosen.find((c) => c.kind == 'name')
	for (const c of chosen) {
		const col = element('col')
		if (c != widest) col.style.width = c.width + 'px'
		cols.append(col)
		const th = element('th', { className: c.kind, scope: 'col', title: c.title ?? '' })
		th.append(...head_of(c, th))
		head.append(th)
	}
	return [cols, element('thead', {}, head)]
}
function table_row(chosen, row, id) {
	const tr = element('tr', { tabIndex: -1 })
	if (id) tr.dataset.id = id
	for (const c of chosen) {
		const td = element('td', { className: `${c.kind} ${c.soft ? 'soft' : ''}` })
		const text = c.text(row), value = c.value?.(row)
		td.dataset.key = c.key
		if (value !== undefined) td.dataset.value = value
		if (c.kind == 'name') fill_name(td, c, row)
		else if (c.kind == 'place') (td.textContent = fit_place(text, c.room)), (td.title = c.whole?.(row) ?? text)
		else td.textContent = text
		if (c.part) td.classList.add('part'), td.style.setProperty('--part', percent(c.part(row)) + '%')
		tr.append(td)
	}
	return tr
}
// The name, and behind it more text in a soft colour, as far as there is room.
function fill_name(td, c, row) {
	const more = c.more?.(row) ?? '', name = c.text(row), room = c.room - (c.inset ?? 0)
	const for_more = more ? Math.min(more.length, Math.max(room - name.length - 1, Math.floor(room * 0.4))) : 0
	td.append(fit(name, more ? room - for_more - 1 : room))
	td.title = c.whole(row) + (more && ' ' + more)
	td.dataset.whole = c.whole(row)
	if (more) td.append(' ', element('span', { className: 'soft more', textContent: more.length > for_more ? more.slice(0, for_more - 1) + '…' : more }))
}
const table_room = () => at('main').clientWidth - 32
