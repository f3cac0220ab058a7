/** Whether a text is a name by its form: two labels or more, of the letters that names are made of here. */
export function isNameForm(text: string): boolean {
  return /^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(text)
}
