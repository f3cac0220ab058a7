import { existsSync, readdirSync } from 'node:fs'
import { cp, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { isTemplate, type Template, templates } from './templates.ts'

/** A site to write. */
export interface Site {
  readonly folder: string
  readonly template: Template
  /** 32 hex digits. */
  readonly projectId: string
  /** URL of the gateway, without a slash at the end. */
  readonly gateway: string
}

/** The answers to the questions, before they are checked. */
export type Answers = Readonly<Record<keyof Site, string>>

/** The gateway and the project of `make up`, which the examples call. */
export const local = {
  gateway: 'http://localhost:8080',
  projectId: '00000000000000000000000000000001',
} as const

/** Lines of `.gitignore`, which is written because npm leaves a file of this name out of packages. */
const IGNORED = ['node_modules/', 'dist/', '.next/', 'next-env.d.ts', '.env*.local', '']

/**
 * Returns the site that the answers describe.
 *
 * @throws Error with what is wrong with the first invalid answer.
 */
export function checkSite({ folder, template, projectId, gateway }: Answers): Site {
  if (!folder) throw new Error('Name the folder to write to: npm create hawser my-site')
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new Error(`The folder ${folder} is not empty`)
  if (!isTemplate(template))
    throw new Error(`There is no template ${template}: choose ${Object.keys(templates).join(', ')}`)
  const id = projectId.toLowerCase()
  if (!/^[0-9a-f]{32}$/.test(id))
    throw new Error('A project id is 32 hex digits, which `hawser project create` prints')
  const url = URL.canParse(gateway) ? new URL(gateway) : undefined
  if (!url || !/^https?:$/.test(url.protocol))
    throw new Error('The gateway is a URL such as https://wallet.example.com')
  // It is written into strings of TypeScript, where an apostrophe would end them.
  return { folder, template, projectId: id, gateway: url.href.replace(/\/+$/, '').replaceAll("'", '%27') }
}

/**
 * Writes a site.
 *
 * @param from folder with the templates
 * @throws the error of the file system.
 */
export async function writeSite({ folder, template, projectId, gateway }: Site, from: string): Promise<void> {
  await cp(join(from, template), folder, { recursive: true })
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  for (const entry of entries.filter((found) => found.isFile())) {
    const path = join(entry.parentPath, entry.name)
    const text = await readFile(path, 'utf8')
    const own = text.replaceAll(local.gateway, () => gateway).replaceAll(local.projectId, projectId)
    if (own !== text) await writeFile(path, own)
  }
  await rename(join(folder, 'package.json'), packageName(folder))
  await writeFile(join(folder, '.gitignore'), IGNORED.join('\n'))
}

async function rename(path: string, name: string): Promise<void> {
  const manifest = JSON.parse(await readFile(path, 'utf8'))
  await writeFile(path, `${JSON.stringify({ ...manifest, name }, null, 2)}\n`)
}

/** Returns the name of a folder in the characters that names of packages may have. */
export function packageName(folder: string): string {
  const name = basename(resolve(folder))
    .toLowerCase()
    .replace(/[^a-z0-9._~-]+/g, '-')
    .replace(/^[._-]+|-+$/g, '')
  return name || 'hawser-site'
}
