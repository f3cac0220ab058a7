import { escapeHtml } from './html.ts'
import { drawing } from './pictures.ts'

const width = 420
const headHeight = 34
const stepHeight = 46

/**
 * Draws a sequence diagram. The first line of the text names the actors, with commas between them; each other line is a step, as `Page -> Wallet: sign this`,
 * or `Wallet: what it does by itself`.
 */
export function sequence(text: string): string {
  const [first = '', ...lines] = text.trim().split('\n')
  const actors = first.split(',').map((name) => name.trim())
  const column = width / actors.length
  const x = (name: string) => {
    const index = actors.indexOf(name)
    if (index < 0) throw new Error(`the sequence has no actor ${name}: ${first}`)
    return column * (index + 0.5)
  }
  const height = headHeight + lines.length * stepHeight + 16
  const heads = actors.map((name) => {
    const center = x(name)
    return `<path class="thread" d="M${center} ${headHeight}V${height}"/><rect class="box" x="${center - column / 2 + 4}" y="1" width="${column - 8}" height="${headHeight - 2}" rx="10"/><text class="name" x="${center}" y="22" text-anchor="middle">${escapeHtml(name)}</text>`
  })
  const steps = lines.map((line, index) => {
    const y = headHeight + (index + 1) * stepHeight - 6
    const [, from = '', to, words = ''] = /^([^:>]+?)(?:\s*->\s*([^:]+?))?:\s*(.+)$/.exec(line.trim()) ?? []
    return to === undefined ? alone(x(from), y, words) : arrow(x(from), x(to), y, words)
  })
  const description = lines.map((line) => line.trim().replace('->', 'to')).join('. ')
  return drawing(
    `<svg viewBox="0 0 ${width} ${height}" xmlns="http://www.w3.org/2000/svg">${heads.join('')}${steps.join('')}</svg>`,
    description,
  )
}

function arrow(from: number, to: number, y: number, words: string): string {
  const tip = to > from ? -6 : 6
  return `<path class="line" d="M${from} ${y}H${to}M${to + tip} ${y - 4}L${to} ${y}L${to + tip} ${y + 4}"/>${label((from + to) / 2, y - 8, words)}`
}

function alone(x: number, y: number, words: string): string {
  return `<circle class="dot" cx="${x}" cy="${y}" r="4"/>${label(x, y - 8, words)}`
}

/** Returns text on a background, so that lifelines do not cross it. It stays within the drawing. */
function label(center: number, y: number, words: string): string {
  const half = words.length * 3.2
  const x = Math.min(Math.max(center, half + 4), width - half - 4)
  return `<text class="said" x="${x}" y="${y}" text-anchor="middle">${escapeHtml(words)}</text>`
}
