/** The forms of a text by the plural category of its count (CLDR); `other` is used for those that are missing. */
export type PluralForms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string }

/** Returns a function that selects the form for a count by the rules of a language (BCP 47 tag). */
export function pluralsOf(tag: string): (count: number, forms: PluralForms) => string {
  const rules = new Intl.PluralRules(tag)
  return (count, forms) => forms[rules.select(count)] ?? forms.other
}
