/** The forms of a text by the plural category of its count (CLDR); `other` stands for those that are missing. */
type Forms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string }

/** Returns what picks the form for a count by the rules of a language, by its BCP 47 tag. */
export function pluralsOf(tag: string): (count: number, forms: Forms) => string {
  const rules = new Intl.PluralRules(tag)
  return (count, forms) => forms[rules.select(count)] ?? forms.other
}
