// What an SVG may contain that becomes part of the binary. Anything else is refused, not repaired, so that a person
// looks at it.

const elements = new Set(
  'svg g path circle ellipse rect polygon defs clipPath mask linearGradient radialGradient stop filter feFlood feColorMatrix feBlend feOffset feGaussianBlur feComposite'.split(
    ' ',
  ),
)
/** Without href, event handlers, style and class. */
const attributes =
  /^(xmlns|viewBox|fill|fill-(rule|opacity)|clip-(path|rule)|stroke(-[a-z]+)?|opacity|d|id|transform|c[xy]|f[xy]|r[xy]?|[xy][12]?|width|height|offset|stop-(color|opacity)|gradient(Units|Transform)|mask|mask-type|maskUnits|filter|filterUnits|primitiveUnits|color-interpolation-filters|flood-opacity|flood-color|result|in2?|mode|type|values|d[xy]|stdDeviation|operator|k[1-4]|points)$/
/** Of the outermost element: the page says how large a mark is. */
const dropped = new Set(['class', 'width', 'height'])

/**
 * Minifies an SVG, and makes sure that it is nothing but a picture.
 *
 * @param {string} svg
 * @throws {Error} for scripts, styles, references to anything outside, ids used twice, and whatever else is not on the list
 */
export function clean(svg) {
  const ids = new Set()
  const text = svg.trim().replace(/>\s+</g, '><')
  const tags = text.match(/<[^>]*>/g) ?? []
  if (tags.join('') !== text) throw new Error(`text between tags: ${text.slice(0, 80)}`)
  return `${tags.map((tag) => cleanTag(tag, ids)).join('')}\n`
}

/** @param {string} tag @param {Set<string>} ids */
function cleanTag(tag, ids) {
  const parts = /^<(\/?)([A-Za-z]+)((?:\s+[A-Za-z][\w:-]*="[^"<>]*")*)\s*(\/?)>$/.exec(tag)
  if (!parts) throw new Error(`cannot be read: ${tag.slice(0, 80)}`)
  const [, end, name, rest, empty] = parts
  if (!elements.has(name)) throw new Error(`element ${name}`)
  const plain = rest.replace(/ style="mask-type:(alpha|luminance);?"/, ' mask-type="$1"')
  const kept = [...plain.matchAll(/([A-Za-z][\w:-]*)="([^"]*)"/g)]
    .filter(([, attribute]) => name !== 'svg' || !dropped.has(attribute))
    .map(
      ([, attribute, value]) => ` ${attribute}="${cleanValue(attribute, value.replace(/\s+/g, ' '), ids)}"`,
    )
  return `<${end}${name}${kept.join('')}${empty}>`
}

/** @param {string} attribute @param {string} value @param {Set<string>} ids */
function cleanValue(attribute, value, ids) {
  if (!attributes.test(attribute)) throw new Error(`attribute ${attribute}`)
  if (attribute === 'id' && ids.size === ids.add(value).size) throw new Error(`id ${value} twice`)
  if (attribute !== 'xmlns' && /url\((?!#)|:|&/.test(value))
    throw new Error(`${attribute}: ${value.slice(0, 80)}`)
  return value
}
