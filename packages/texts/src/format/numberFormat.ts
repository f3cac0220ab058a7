/** Formatters by language and options, because they are slow to create. They have no state. */
const formats = new Map<string, Intl.NumberFormat>()

/** Returns the formatter of numbers for a language, by its BCP 47 tag. */
export function numberFormat(tag: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = tag + JSON.stringify(options)
  const format = formats.get(key) ?? new Intl.NumberFormat(tag, options)
  formats.set(key, format)
  return format
}

/**
 * Returns the language that money is written in. For Arabic it is English: `$1,234.50`, whose sign and digits keep their
 * order between words that run from right to left.
 */
export function moneyTag(tag: string): string {
  return tag === 'ar' ? 'en' : tag
}
