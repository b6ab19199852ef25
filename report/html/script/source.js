// SPDX-License-Identifier: MIT
// source.js - the source of a function, with what was measured, and with the calls that its text names.


// Why a function has no source here, and what the reader can do.
function why_no_source(f) {
	if (!f.file) return `No debug information names the file of ${f.name}. Compile with -g, and make the page again.`
	if (!profile.sources) return `The texts of source files were left out of this page (--no-sources).`
	const [why, folder] = profile.missing[f.file] ?? [null, '']
	if (why) return `${f.file} is not in this page: ${why}${folder.startsWith('/') ? ` (it was compiled in ${folder})` : ''}.\nGive the folder that has it, and make the page again:\n    zprof html --source-path FOLDER\nor, if the path has changed:\n    zprof html --source-path OLD=NEW`
	if (why === '') return `${f.file} is not in this page: it is too large, or other files took the room.`
	return `${f.file} is not in this page, because its functions take too little time.`
}
// The lines of the function's file that are in the page around it: [first line, text].
function stretch_of(f) {
	const source = profile.sources?.[f.file]
	if (source === undefined || typeof source == 'string') return source === undefined ? null : [1, source]
	for (let i = 0; i < source.length; i += 2) if (source[i] <= f.line && f.line < source[i] + source[i + 1].split('\n').length) return [source[i], source[i + 1]]
	return null
}
// The last part of a name, if that is a word that a source would have before its `(`.
const call_word = (f) => name_parts(f.name)[1].replace(/^::|\[abi:\w+\]|<.*/g, '').match(/^~?\w+$/)?.[0] ?? null

// For each line of a stretch, the callees of its function that were called there, where the profile knows; else those that the
// text names there. Where a callee's name stands in one line alone, that is where it was called. A large callee that no line
// names stands in the first line of its caller.
function calls_by_line(lines, first, defined) {
	const found = new Map()
	let caller = null, start = 0
	const add = (i, call) => found.set(i, [...(found.get(i) ?? []), call])
	const search = (from, to) => {
		if (!caller) return
		for (const arc of arcs_of(caller.id).children) {
			const known = lines_known(arc)
			for (const [line, calls] of known) if (line >= first && line < first + lines.length) add(line - first, { arc, calls, lines: known.length })
			if (known.length) continue
			const word = call_word(functions[arc.callee]), large = arc.child.total >= 0.02 * of_thread(caller).total || counts
			if (!word) {
				if (large) add(start - 1, { arc, lines: 0 })
				continue
			}
			// A function that others call for this one is only named, as an argument.
			const pattern = new RegExp(`(?<![\\w~])${word}${way_of(arc.caller, arc.callee) ? '\\b' : '\\s*(<[^;]*>)?\\('}`), hits = []
			for (let i = from; i < to; i++) if (!/^\s*(\*|\/\/|\/\*)/.test(lines[i]) && pattern.test(lines[i])) hits.push(i)
			for (const i of hits) add(i, { arc, lines: hits.length })
			if (!hits.length && large) add(start - 1, { arc, lines: 0 })
		}
	}
	for (let i = 0; i < lines.length; i++) {
		const g = defined.get(first + i)
		if (!g) continue
		search(start, i)
		caller = g
		start = i + 1
	}
	search(start, lines.length)
	return found
}
function call_link({ arc, calls, lines }, named) {
	const f = functions[arc.callee], all = counts ? plural_calls(arc.calls) : known(arc.child.total, arc.child.bar)
	const amount = calls !== undefined && lines > 1 ? `${number(calls)} of ${plural_calls(arc.calls)}` : lines > 1 ? `${all} in ${lines} lines` : all
	const counted = counted_text(counted_of_arc({ arc, side: 'child' })).map((t) => `, ${t}`).join('')
	const cost = `${f.name}: ${counts ? '' : `total ${with_bar(arc.child.total, arc.child.bar)}, `}${plural_calls(arc.calls)} from this function${counted}`
	const how = calls !== undefined ? `, ${number(calls)} from this line` : !lines ? '; no line names it, so it was called through a pointer or by inlined code (zprof record --callsites knows the line)' : `${lines > 1 ? `, from the ${lines} lines with its name together` : ''}; the line was found by the name in the text`
	return element('a', { className: 'callee', href: `#source/${f.id}`, textContent: `→ ${named || !lines ? fit(f.short, 36) + ' ' : ''}${amount}${lines ? '' : ', line unknown'}`, title: cost + how })
}
// The links of a line, the largest first. Where there are several, they have names; small ones are left to the call graph.
const LINKS = 3
const weight_of = ({ arc, calls }) => (counts ? 0 : arc.child.total) * (calls === undefined ? 1 : calls / (arc.calls || 1)) + arc.calls * 1e-9
function call_links(calls) {
	const list = calls.sort((a, b) => weight_of(b) - weight_of(a)), all = of_thread(functions[list[0]?.arc.caller])?.total ?? 0
	const shown = list.slice(0, LINKS).filter((call, i) => !i || weight_of(call) >= 0.01 * all), rest = list.slice(shown.length)
	const links = shown.flatMap((call) => [' ', call_link(call, list.length > 1)])
	return rest.length ? [...links, element('span', { className: 'soft more-calls', textContent: ` and ${rest.length} more`, title: rest.map(({ arc }) => `${functions[arc.callee].name}: ${plural_calls(arc.calls)}`).join('\n') })] : links
}
function source_files(f) {
	const files = element('select', { id: 'file', 'aria-label': 'File', onchange: (e) => go('source', e.target.value) })
	for (const file of Object.keys(profile.sources)) {
		const first = functions.filter((g) => g?.file == file && stretch_of(g)).sort((a, b) => m_of(b).self - m_of(a).self)[0]
		if (first) files.append(element('option', { value: String(first.id), textContent: base(file), title: file, selected: file == f.file }))
	}
	const within = element('select', { id: 'within', 'aria-label': 'Function in this file', onchange: (e) => go('source', e.target.value) })
	const list = functions.filter((g) => g?.file == f.file && stretch_of(g) && of_thread(g)).sort((a, b) => m_of(b).self - m_of(a).self).slice(0, 200)
	if (!list.includes(f)) list.unshift(f)
	for (const g of list) within.append(element('option', { value: String(g.id), textContent: `${fit(g.short, 40)}  ${counts ? '' : self_text(m_of(g))}`, selected: g == f }))
	return [files, within]
}
// The lines of function F that cost most, by its own time there and by what it called there: [row, time].
function costly_lines(f, first, count, defined, called) {
	const list = []
	for (let i = f.line - first, within = f; i < count && within == f; i++) {
		const own = counts || state.time == 'wait' ? 0 : own_lines.get(`${f.id} ${first + i}`) ?? 0
		const calls = i == f.line - first ? [] : called.get(i) ?? []
		const cost = own + calls.reduce((sum, call) => sum + weight_of(call) / (call.calls === undefined ? call.lines : 1), 0)
		if (cost > 0) list.push([i, cost])
		within = defined.get(first + i + 1) ?? within
	}
	return list.sort((a, b) => b[1] - a[1]).slice(0, 30)
}
function line_picker(list, lines, first, body) {
	const select = element('select', { id: 'costly', 'aria-label': 'Costly lines', onchange: (e) => show_line(body.rows[Number(e.target.value)]) })
	select.append(element('option', { value: '', textContent: 'costly lines', disabled: true, selected: true }))
	for (const [i, cost] of list) select.append(element('option', { value: String(i), textContent: `${first + i}  ${counts ? '' : time(cost)}  ${middle(lines[i].trim(), 44)}` }))
	return select
}
function show_line(row) {
	for (const marked of row.parentElement.querySelectorAll('.marked')) marked.classList.remove('marked')
	row.classList.add('marked')
	at('main').scrollTop = row.offsetTop - at('main').clientHeight / 3
}
const LINES = 12000
function show_source(main, id) {
	const f = functions[id]
	if (!f) return main.replaceChildren(note('The profile has no functions.'))
	describe_function(f.id)
	const stretch = stretch_of(f)
	if (!stretch) {
		main.replaceChildren(...(Object.keys(profile.sources ?? {}).length ? [element('div', { className: 'bar' }, ...source_files(f))] : []), element('pre', { className: 'note', textContent: why_no_source(f) }))
		return
	}
	const [first, text] = stretch, lines = text.replace(/\n$/, '').split('\n').slice(0, LINES)
	const defined = new Map(functions.filter((g) => g && g.file == f.file).reverse().map((g) => [g.line, g]))
	const called = calls_by_line(lines, first, defined)
	const rows = [...defined.values()].filter((g) => of_thread(g))
	// In a line that begins no function, the time that the function took there itself, by samples.
	const shows_own = state.thread < 0 && ['cpu', 'own', 'wall'].includes(state.time)
	let within = null
	const owns = lines.map((line, i) => {
		const g = defined.get(first + i)
		within = g ?? within
		const ns = shows_own && within && !g ? own_lines.get(`${within.id} ${first + i}`) : 0
		return ns > 0 ? { ns, of: within } : null
	})
	const columns = [
		{ key: 'calls', label: 'calls', kind: 'number', text: (g) => number_of_calls(m_of(g).calls) },
		{ key: 'self', label: 'self', kind: 'number', timed: true, others: owns.filter((own) => own).map((own) => time(own.ns)), text: (g) => self_text(m_of(g)), part: (g) => self_share(m_of(g)) },
		{ key: 'total', label: 'total', kind: 'number', timed: true, text: (g) => total_text(m_of(g)) },
		...counter_columns((g) => counted_of(g.id), 'in the function itself', { key: 'total', label: 'total', title: 'in the function and in all that it called', value: (c) => c.total }),
		{ key: 'line', label: 'line', kind: 'number', soft: true, text: () => String(first + lines.length) },
		// (Counters leave room for a line of code.)
		{ key: 'code', label: f.file, kind: 'name', least: 60 * letter_width(), text: () => '', whole: () => '' },
	].filter((c) => !counts || !c.timed)
	const chosen = choose_columns(columns, rows, table_room())
	const body = element('tbody')
	let wanted = null
	lines.forEach((line, i) => {
		const g = defined.get(first + i), own = owns[i]
		const tr = element('tr', { className: g ? 'defines' : '' })
		if (g) (tr.dataset.id = g.id), (tr.tabIndex = -1)
		for (const c of chosen) {
			const td = element('td', { className: `${c.key == 'code' ? 'code' : 'number'} ${c.soft ? 'soft' : ''}` })
			td.dataset.key = c.key
			if (c.key == 'line') td.textContent = String(first + i)
			else if (c.key == 'code') td.append(line, ...(called.has(i) ? call_links(called.get(i)) : []))
			else if (g && of_thread(g)) {
				td.textContent = c.text(g)
				if (c.part) td.classList.add('part'), td.style.setProperty('--part', percent(c.part(g)) + '%')
			}
			if (c.key == 'self' && own) {
				td.textContent = time(own.ns)
				td.title = `${own.of.name} itself, in this line, by samples`
				td.classList.add('part')
				td.style.setProperty('--part', percent(own.ns / (profile.whole || 1)) + '%')
			}
			tr.append(td)
		}
		body.append(tr)
		if (g == f) wanted = tr
	})
	const [cols, head] = table_head(chosen, (c) => [c.key == 'code' ? fit_place(f.file, c.room) : c.label])
	const costly = of_thread(f) ? costly_lines(f, first, lines.length, defined, called) : []
	main.replaceChildren(element('div', { className: 'bar' }, ...source_files(f), ...(costly.length ? [line_picker(costly, lines, first, body)] : [])), element('table', { className: 'grid source' }, cols, head, body))
	if (typeof profile.sources[f.file] != 'string') main.append(note(`Of ${f.file}, the page has the lines of the functions that take most.`))
	wanted?.setAttribute('aria-current', 'true')
	const asked = body.rows[where()[2] - first]
	if (asked) show_line(asked)
	else if (wanted) main.scrollTop = wanted.offsetTop - main.clientHeight / 3
}
