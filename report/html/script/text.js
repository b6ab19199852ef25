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
// A time that is not above its error bar is only known to be below the bar's upper end, which is shown in its place, rounded up:
// `<3 ms`. Other times have their bar beside them, in their unit: `593 ms` and `84`.
const is_bound = (ns, error) => error > 0 && ns <= error
function round_up(value, least) {
	let digit = least
	while (value > 9 * digit && digit < 1e30) digit *= 10
	return Math.max(Math.ceil(value / digit), 1) * digit
}
function time_below(ns) {
	if (ns <= 0) return '0'
	ns = round_up(ns, 0.1)
	const [unit, size] = ns < 1e3 ? ['ns', 1] : ns < 1e6 ? ['µs', 1e3] : ns < 1e9 ? ['ms', 1e6] : ['s', 1e9]
	return `<${ns < 1 ? ns.toFixed(1) : number(Math.round(ns / size))} ${unit}`
}
const known = (ns, error) => (is_bound(ns, error) && profile.unit == 'ns' ? time_below(ns + error) : time(ns))
function bar(ns, error) {
	if (error <= 0 || is_bound(ns, error)) return ''
	let scale = 1
	for (let unit = 0; unit < 3 && ns / scale >= 999.5; unit++) scale *= 1000
	const value = ns / scale, width = error / scale
	const decimals = Math.min(value < 9.995 ? 2 : value < 99.95 ? 1 : 0, width < 0.995 ? 2 : width < 9.95 ? 1 : 0), least = 10 ** -decimals
	return (width < least ? '<' : '') + Math.max(width, least).toFixed(decimals)
}
const number = (n) => n.toLocaleString('en')
const plural = (n, word) => `${number(n)} ${word}${n == 1 ? '' : 's'}`
// Of a process sampled from outside, no call was counted.
const uncounted = (n) => profile.sampled && !n
const number_of_calls = (n) => (uncounted(n) ? 'sampled' : number(n))
const plural_calls = (n) => (uncounted(n) ? 'sampled' : plural(n, 'call'))
const percent = (part) => (100 * Math.min(1, Math.max(0, part))).toFixed(1)
const share = (m) => (counts ? m.calls / (profile.calls || 1) : m.total / (whole() || 1))
const self_share = (m) => m.self / (whole() || 1)
// A share of a time that is only a bound is a bound, too.
function known_percent(ns, error, all) {
	if (!is_bound(ns, error) || profile.unit != 'ns') return percent(ns / (all || 1))
	const most = all > 0 ? Math.min(100, round_up((100 * Math.max(0, ns + error)) / all, 0.1)) : 100
	return ns + error > 0 ? '<' + most.toFixed(most < 1 ? 1 : 0) : '0.0'
}
const self_percent = (m) => known_percent(m.self, m.selfBar, whole())
const total_percent = (m) => (counts ? percent(share(m)) : known_percent(m.total, m.totalBar, whole()))
// Rows stand in the order of what they show.
const weight = (ns, error) => (!is_bound(ns, error) ? ns : ns + error > 0 ? round_up(ns + error, 0.1) : 0)
const self_text = (m) => known(m.self, m.selfBar)
const total_text = (m) => (m.low ? '≥ ' : '') + known(m.total, m.totalBar)
const with_bar = (ns, error) => known(ns, error) + (bar(ns, error) && ` ±${bar(ns, error)}`)

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
