import { createInterface } from 'node:readline/promises'
import { type Answers, local } from './site.ts'
import { templates } from './templates.ts'

/** Answers that were given as arguments. */
export type Given = Readonly<Partial<Record<keyof Answers, string | undefined>>>

/** The input and output of a terminal. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean }
  readonly output: NodeJS.WritableStream
}

const defaults: Answers = { folder: '', template: 'vite', ...local }

/** Prompts for the answers that were not given; without a terminal they are the defaults. */
export async function ask(given: Given, { input, output }: Terminal): Promise<Answers> {
  if (!input.isTTY) return { ...defaults, ...present(given) }
  const terminal = createInterface({ input, output })
  const answer = async (name: keyof Answers, question: string, preset: string): Promise<string> =>
    given[name] ?? ((await terminal.question(`${question} (${preset}): `)).trim() || preset)
  try {
    return {
      folder: await answer('folder', 'Folder', 'my-site'),
      template: await answer('template', `Template\n${list()}\n`, defaults.template),
      gateway: await answer('gateway', 'URL of your gateway', defaults.gateway),
      projectId: await answer(
        'projectId',
        'Project id, which `hawser project create` prints',
        defaults.projectId,
      ),
    }
  } finally {
    terminal.close()
  }
}

function present(given: Given): Partial<Answers> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

function list(): string {
  return Object.entries(templates)
    .map(([name, what]) => `  ${name.padEnd(6)} ${what}`)
    .join('\n')
}
