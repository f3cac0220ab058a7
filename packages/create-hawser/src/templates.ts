/** Descriptions of the templates by name. Each is the folder of this name in `examples/` of the repository. */
export const templates = {
  vite: 'React with Vite',
  next: 'Next.js: rendered on the server, with sign-in',
  wagmi: 'React with Vite and wagmi',
  html: 'plain HTML, without a bundler',
} as const

/** Name of a template. */
export type Template = keyof typeof templates

/** Reports whether a template has this name. */
export function isTemplate(name: string): name is Template {
  return Object.hasOwn(templates, name)
}
