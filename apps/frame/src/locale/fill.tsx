import type { ComponentChild } from 'preact'

/** Puts values into the places of a sentence, `{name}`, each isolated from the direction of the sentence. */
export function fill(
  sentence: string,
  values: Readonly<Record<string, ComponentChild>>,
): readonly ComponentChild[] {
  // The names of the places are at the odd indices.
  return sentence
    .split(/\{(\w+)\}/)
    .map((part, at) => (at % 2 === 0 ? part : <bdi key={part}>{values[part]}</bdi>))
}
