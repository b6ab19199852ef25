// SPDX-License-Identifier: MIT
// shell.js - what stands around the views of a page: keys, the rows under the mouse, dark and light, the notes, and the bar at the
// bottom. Each page says what its keys do: key(event), what a row is and opens: describe_row(row), open_row(row), and
// shows its view: show().

function describe_text(name, numbers, ...rest) {
	at('whole-name').textContent = name
	at('whole-name').scrollTop = 0
	at('numbers').textContent = numbers
	at('where').replaceChildren(...rest)
}

function theme(name) {
	document.documentElement.dataset.theme = name
	draw()
}
function move_row(step) {
	const rows = [...at('main').querySelectorAll('tbody tr[data-id]')]
	const now = rows.indexOf(document.activeElement)
	rows[Math.max(0, Math.min(rows.length - 1, now < 0 ? 0 : now + step))]?.focus()
}
document.addEventListener('keydown', (e) => {
	if (e.ctrlKey || e.metaKey || e.altKey || at('help').open) return
	const typing = ['INPUT', 'SELECT'].includes(document.activeElement.tagName)
	if (e.key == 'Escape') document.activeElement.blur()
	if (!e.defaultPrevented && !(typing && (e.key != 'ArrowDown' || document.activeElement.tagName == 'SELECT'))) key(e)
})
const row_of = (e) => e.target.closest?.('tr[data-id]')
// The bar tells of the row on which the mouse rests: not of rows on its way to the bar's links, nor of one that a new view has put
// under a mouse that stands still.
const REST_MS = 150
let resting = 0
at('main').addEventListener('mousemove', (e) => {
	if (!e.movementX && !e.movementY) return
	clearTimeout(resting)
	resting = setTimeout(() => describe_row(row_of(e)), REST_MS)
})
at('main').addEventListener('mouseleave', () => clearTimeout(resting))
addEventListener('hashchange', () => clearTimeout(resting))
at('main').addEventListener('focusin', (e) => describe_row(row_of(e)))
at('search').onkeydown = (e) => {
	const first = where()[0] == 'functions' && at('main').querySelector('tbody tr[data-id]')
	if (e.key == 'Escape' && e.target.value) {
		e.target.value = ''
		e.target.dispatchEvent(new Event('input'))
	} else if (e.key == 'Enter' && first) {
		e.target.blur()
		open_row(first)
	}
}
at('theme').onclick = () => theme(document.documentElement.dataset.theme == 'dark' ? 'light' : 'dark')
at('help-button').onclick = () => at('help').showModal()
let resized = 0
addEventListener('resize', () => {
	cancelAnimationFrame(resized)
	resized = requestAnimationFrame(() => {
		const top = at('main').scrollTop
		show()
		at('main').scrollTop = top
	})
})

// ---- the notes, and the beginning
function show_notes(open) {
	at('notes').hidden = !open
	at('notes-button').setAttribute('aria-expanded', String(open))
	if (where()[0] != 'functions') draw()
}
function tell(lines, losses) {
	const told = [...lines, ...(losses ? losses.split('\n') : [])]
	at('notes').textContent = told.join('\n')
	at('notes-button').hidden = !told.length
	at('notes-button').textContent = (losses || told.some((line) => line.startsWith('note:')) ? '⚠ ' : '') + plural(told.length, 'note')
	at('notes-button').onclick = () => show_notes(at('notes').hidden)
}
function begin() {
	addEventListener('hashchange', show)
	theme(matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')
	show()
}
