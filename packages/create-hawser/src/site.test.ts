import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ask } from './ask.ts'
import { type Answers, checkSite, local, packageName, writeSite } from './site.ts'
import { templates } from './templates.ts'

const examples = fileURLToPath(new URL('../../../examples/', import.meta.url))

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'create-hawser-'))
})
afterEach(() => rmSync(home, { recursive: true }))

const answers = (change: Partial<Answers> = {}): Answers => ({
  folder: join(home, 'My Site'),
  template: 'vite',
  projectId: 'ABCDEF0123456789abcdef0123456789',
  gateway: 'https://wallet.example.com/',
  ...change,
})

describe('what was answered', () => {
  it('is a site', () => {
    expect(checkSite(answers())).toEqual({
      folder: join(home, 'My Site'),
      template: 'vite',
      projectId: 'abcdef0123456789abcdef0123456789',
      gateway: 'https://wallet.example.com',
    })
  })

  it.each([
    [{ folder: '' }, 'Name the folder'],
    [{ template: 'vue' }, 'There is no template vue: choose vite, next, wagmi, html'],
    [{ template: 'toString' }, 'There is no template toString'],
    [{ projectId: '1234' }, 'A project id is 32 hex digits'],
    [{ gateway: 'wallet.example.com' }, 'The gateway is a URL'],
    [{ gateway: 'file:///etc' }, 'The gateway is a URL'],
  ])('is refused for %o', (change, message) => {
    expect(() => checkSite(answers(change))).toThrow(message)
  })

  it('is written as it was given, whatever characters the gateway has', async () => {
    const site = checkSite(answers({ gateway: "https://wallet.example.com/$&/o'neil" }))
    await writeSite(site, examples)
    const files = readdirSync(site.folder, { recursive: true, withFileTypes: true }).filter((f) => f.isFile())
    const texts = files.map((file) => readFileSync(join(file.parentPath, file.name), 'utf8')).join('\n')
    expect(texts).toContain('https://wallet.example.com/$&/o%27neil')
    expect(texts).not.toContain(local.gateway)
  })

  it('is refused for a folder with something in it, and not for an empty one', () => {
    const folder = join(home, 'site')
    mkdirSync(folder)
    expect(checkSite(answers({ folder })).folder).toBe(folder)
    writeFileSync(join(folder, 'notes.txt'), '')
    expect(() => checkSite(answers({ folder }))).toThrow(`The folder ${folder} is not empty`)
  })
})

describe.each(Object.keys(templates))('the template %s', (template) => {
  it('is written with the gateway, the project and the name of the folder', async () => {
    const site = checkSite(answers({ template }))
    await writeSite(site, examples)
    const files = readdirSync(site.folder, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    )
    const text = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8')).join('\n')
    expect(text).toContain("'https://wallet.example.com'")
    expect(text).toContain("'abcdef0123456789abcdef0123456789'")
    expect(text).not.toMatch(/localhost:8080|00000000000000000000000000000001/)
    const manifest = JSON.parse(readFileSync(join(site.folder, 'package.json'), 'utf8'))
    expect(manifest.name).toBe('my-site')
    const hawser = Object.entries(manifest.dependencies).filter(([name]) => name.startsWith('@hawser/'))
    expect(hawser.length).toBeGreaterThan(0)
    for (const [, version] of hawser) expect(version).toMatch(/^\d+\.\d+\.\d+$/)
    expect(readFileSync(join(site.folder, '.gitignore'), 'utf8')).toContain('node_modules/\n')
  })
})

it.each([
  ['/a/My Site!', 'my-site'],
  ['/a/.hidden', 'hidden'],
  ['/a/---', 'hawser-site'],
  ['/a/ok_1.2', 'ok_1.2'],
])('a folder %s is a package named %s', (folder, name) => {
  expect(packageName(folder)).toBe(name)
})

describe('what was not given', () => {
  it('is asked for in a terminal, with a default', async () => {
    const input = Object.assign(new PassThrough(), { isTTY: true })
    const output = new PassThrough()
    const asked = ask({ folder: 'given' }, { input, output })
    for (const line of ['html', '', 'f'.repeat(32)]) {
      await new Promise((resolve) => setTimeout(resolve, 20))
      input.write(`${line}\n`)
    }
    expect(await asked).toEqual({
      folder: 'given',
      template: 'html',
      gateway: 'http://localhost:8080',
      projectId: 'f'.repeat(32),
    })
    const shown = String(output.read())
    expect(shown).not.toContain('Folder')
    expect(shown).toContain('URL of your gateway (http://localhost:8080): ')
  })

  it('has its default where there is no terminal', async () => {
    const terminal = { input: new PassThrough(), output: new PassThrough() }
    expect(await ask({ folder: 'site', template: undefined }, terminal)).toEqual({
      folder: 'site',
      template: 'vite',
      gateway: 'http://localhost:8080',
      projectId: '00000000000000000000000000000001',
    })
  })
})
