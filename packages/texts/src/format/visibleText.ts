/**
 * Returns a text in which characters that cannot be seen, or that change the direction of writing, are
 * replaced by their code points. Line breaks and tabs stay.
 */
export function visibleText(text: string): string {
  return text.replace(/[^\P{C}\n\t]/gu, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`)
}
