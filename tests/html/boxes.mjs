// SPDX-License-Identifier: MIT
// boxes.mjs - what tests ask of any page of zprof that has its style. The functions run in the page.

// What is wrong with the boxes of a page, as sentences.
export function wrong_boxes() {
	const wrong = [], main = at('main'), inside = main.getBoundingClientRect(), width = main.clientWidth
	const box = (e) => e.getBoundingClientRect()
	const text = (e) => `${e.tagName.toLowerCase()}${e.id ? '#' + e.id : ''} '${e.textContent.slice(0, 40)}'`
	const overlap = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1.5 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1.5
	if (document.documentElement.scrollWidth > innerWidth || document.documentElement.scrollHeight > innerHeight) wrong.push('the page scrolls')
	if (scrollY || box(document.querySelector('header')).top != 0) wrong.push('the head is not in view')
	if (main.scrollWidth > width) wrong.push(`main goes off sideways: ${main.scrollWidth} of ${width}`)
	const parts = ['header', 'main', '#details'].map((s) => box(document.querySelector(s)))
	if (parts.some((a, i) => parts.some((b, k) => k > i && overlap(a, b)))) wrong.push('parts of the page overlap')
	if (parts[2].bottom > innerHeight + 0.5 || parts[2].height < 60) wrong.push('the details are not in view')
	if (parts[1].height < innerHeight * 0.5) wrong.push(`main has ${parts[1].height} of ${innerHeight}`)

	const controls = [...document.querySelectorAll('header h1, #head, header button, header a, header input, header select, .bar > *')].filter((e) => e.offsetParent)
	for (const e of controls) {
		const b = box(e)
		if (b.left < 0 || b.right > innerWidth + 0.5 || b.bottom > innerHeight) wrong.push(`${text(e)} is not in view`)
		if (/^(A|BUTTON|P)$/.test(e.tagName) && e.scrollWidth > e.clientWidth + 1) wrong.push(`${text(e)} is clipped`)
		for (const other of controls) if (e != other && !e.contains(other) && !other.contains(e) && overlap(b, box(other))) wrong.push(`${text(e)} overlaps ${text(other)}`)
	}
	for (const row of [...main.querySelectorAll('tr')].slice(0, 80)) {
		const cells = [...row.cells]
		if (!main.querySelector('table.source') && box(row).height > 36) wrong.push(`a row is ${box(row).height} high: ${text(row)}`)
		cells.forEach((cell, i) => {
			const b = box(cell)
			if (cell.scrollWidth > cell.clientWidth) wrong.push(`clipped, ${cell.scrollWidth} of ${cell.clientWidth}: ${text(cell)}`)
			if (b.right > inside.left + width + 0.5) wrong.push(`off the right side: ${text(cell)}`)
			if (i && b.left < box(cells[i - 1]).right - 0.5) wrong.push(`overlaps the cell before: ${text(cell)}`)
			if (cell.dataset.key == 'name' && cell.textContent.includes('…') && !cell.title.length) wrong.push(`no whole name: ${text(cell)}`)
		})
	}
	const canvas = main.querySelector('canvas')
	if (canvas && (box(canvas).right > inside.left + width || box(canvas).width < width - 40)) wrong.push('the flames are not as wide as the page')
	const numbers = at('numbers'), details = box(at('details'))
	if (box(numbers).bottom > details.bottom + 0.5 || numbers.scrollWidth > numbers.clientWidth) wrong.push(`the numbers are clipped: ${numbers.textContent}`)
	if (at('where').childNodes.length && box(at('where')).top > details.bottom - 15) wrong.push('the place is not in view')
	const whole = at('whole-name').textContent
	if (canvas || main.querySelector('tr')) if (!functions.some((f) => f?.name == whole) && whole != 'all') wrong.push(`no whole name in the details: '${whole.slice(0, 60)}'`)
	return [...new Set(wrong)].slice(0, 8)
}
// The least contrast of a text with what is behind it, over the elements of the page and the frames that have a name.
export function least_contrast() {
	const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
	const rgb = (color) => {
		context.fillStyle = '#000'
		context.fillStyle = color
		context.fillRect(0, 0, 1, 1)
		return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3)
	}
	const light = (color) => rgb(color).map((c) => ((c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)).reduce((s, c, i) => s + c * [0.2126, 0.7152, 0.0722][i], 0)
	const contrast = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05)
	const style = getComputedStyle(document.documentElement), of = (name) => style.getPropertyValue(name).trim()
	const found = []
	const seen = new Set()
	for (const e of document.querySelectorAll('body *')) {
		if (!e.offsetParent || ![...e.childNodes].some((n) => n.nodeType == 3 && n.textContent.trim())) continue
		let behind = e
		while (behind && /rgba\(.*, 0\)|transparent/.test(getComputedStyle(behind).backgroundColor)) behind = behind.parentElement
		const colors = [getComputedStyle(e).color, behind ? getComputedStyle(behind).backgroundColor : of('--paper')]
		for (const back of [colors[1], ...(e.classList.contains('part') ? [of('--bar')] : []), ...(e.closest('tbody') ? [of('--hover'), of('--chosen')] : [])]) {
			if (seen.has(colors[0] + back)) continue
			seen.add(colors[0] + back)
			found.push([contrast(colors[0], back), `${e.tagName} ${colors[0]} on ${back}: ${e.textContent.slice(0, 30)}`])
		}
	}
	if (document.querySelector('canvas')) for (const search of ['', 'a']) {
		state.search = search
		for (const b of chart.boxes) if (b.width > 30) found.push([contrast(of(b.frame.id < 0 ? '--ink' : '--frame-ink'), color(b.frame)), `frame ${color(b.frame)}`])
	}
	state.search = ''
	return found.sort((a, b) => a[0] - b[0])[0]
}
