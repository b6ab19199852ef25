// SPDX-License-Identifier: MIT
// text.js - numbers as zprof prints them, names in the room that they have, and elements of the page.
//
// Text gets into the page as text alone (textContent), never as markup.

// ---- numbers
function time(ns) {
	if (profile.unit == 'ticks') return Math.round(ns / profile.ns_per_tick).toLocaleString('en')
	if (ns <= 0) return '0'
	const [unit, size] = ns < 999.5 ? ['ns', 1] : ns < 999.5e3 ? ['µs', 1e3] : ns < 999.5e6 ? ['ms', 1e6] : ['s', 1e9]
	return (ns < 1 ? ns.toFixed(2) : Number(ns / size).toPrecision(3)) + ' ' + unit
}
const bar = (ns, error) => (error <= 0 ? '' : ns <= 0 || error > 0.995 * ns ? '>99%' : error < 0.001 * ns ? '<0.1%' : (100 * error / ns).toFixed(error < 0.01 * ns ? 1 : 0) + '%')
const number = (n) => n.toLocaleString('en')
const percent = (part) => (100 * Math.min(1, Math.max(0, part))).toFixed(1)
const share = (m) => (counts ? m.calls / (profile.calls || 1) : m.total / (whole() || 1))
const self_share = (m) => m.self / (whole() || 1)
const weight = (ns, error) => (ns > error ? ns : ns + error)
const self_text = (m) => (m.self <= m.selfBar && m.selfBar > 0 ? '~ ' : '') + time(m.self)
const total_text = (m) => (m.low ? '≥ ' : '') + time(m.total)
const with_bar = (ns, error) => time(ns) + (bar(ns, error) && ` ±${bar(ns, error)}`)

const base = (path) => path.slice(path.lastIndexOf('/') + 1)
const place = (f) => (f.file ? base(f.file) + (f.line ? ':' + f.line : '') : '')
const place_whole = (f) => (f.file ? f.file + (f.line ? ':' + f.line : '') : '')

// ---- names
// Where the scope of a C++ name ends, and its arguments begin: `std::vector<int>` `::push_back` `(int const&)`.
function name_parts(name) {
	let depth = 0, scope = 0, args = name.length
	for (let i = 0; i < name.length; i++) {
		const operator = name.startsWith('operator', i) && !/\w/.test(name[i - 1] ?? '') && name.slice(i).match(/^operator(\(\)|\[\]|[-+*/%^&|~!=<>,]+|\w*)/)
		if (operator) {
			i += operator[0].length - 1
			continue
		}
		if (name[i] == '(' && depth == 0 && i > scope && name[i - 1] != ':' && args == name.length) args = i
		if ('<({['.includes(name[i])) depth++
		else if ('>)}]'.includes(name[i])) depth = Math.max(0, depth - 1)
		else if (depth == 0 && name[i] == ':' && name[i + 1] == ':') (scope = i), (args = name.length), i++
	}
	return [name.slice(0, scope), name.slice(scope, args), name.slice(args)]
}
const middle = (text, room) => {
	if (text.length <= room) return text
	const end = Math.floor((room - 1) / 2)
	return text.slice(0, Math.max(0, room - 1 - end)) + '…' + (end ? text.slice(-end) : '')
}
// A name for ROOM letters. First the arguments go, then the middle of the scope, then the middle of the rest.
const fitted = new Map()
function fit(name, room) {
	if (name.length <= room) return name
	const key = room + ' ' + name
	const known = fitted.get(key)
	if (known) return known
	const [scope, own, args] = name_parts(name)
	let text
	if (args && scope.length + own.length + 3 <= room) text = scope + own + middle(args, room - scope.length - own.length)
	else if (scope && own.length + 6 <= room) text = middle(scope, room - own.length) + own
	else text = middle(own.replace(/^::/, ''), room)
	if (fitted.size > 50000) fitted.clear()
	fitted.set(key, text)
	return text
}
// A place for ROOM letters: the line is never cut.
function fit_place(text, room) {
	const line = text.match(/:\d+$/)?.[0] ?? ''
	return text.length <= room ? text : middle(text.slice(0, text.length - line.length), Math.max(1, room - line.length)) + line
}

// ---- elements
function element(name, properties = {}, ...children) {
	const e = document.createElement(name)
	for (const [key, value] of Object.entries(properties))
		if (key.includes('-') || key == 'role') e.setAttribute(key, value)
		else e[key] = value
	e.append(...children)
	return e
}
const note = (text) => element('p', { className: 'note', textContent: text })
const said = (words) => (at('said').textContent = words)
const picture = document.createElement('canvas').getContext('2d'), widths = new Map()
function text_width(text, of) {
	const key = of + text
	if (!widths.has(key)) {
		picture.font = getComputedStyle(document.documentElement).getPropertyValue(of).trim()
		widths.set(key, Math.ceil(picture.measureText(text).width))
	}
	return widths.get(key)
}
const letter_width = () => text_width('m'.repeat(100), '--code-font') / 100
