import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startPage } from './pageServer.mjs'
import { freePorts } from './ports.mjs'

const directory = mkdtempSync(join(tmpdir(), 'hawser-page-'))

describe("the demo page's server", () => {
  let page: Awaited<ReturnType<typeof startPage>>
  let url: string

  beforeAll(async () => {
    mkdirSync(join(directory, 'assets'))
    mkdirSync(join(directory, 'docs', 'operate'), { recursive: true })
    writeFileSync(join(directory, 'index.html'), 'the page')
    writeFileSync(join(directory, 'assets', 'main-a1.js'), 'export {}')
    writeFileSync(join(directory, 'docs', 'index.html'), 'the documentation')
    writeFileSync(join(directory, 'docs', 'operate', 'backup.html'), 'backups')
    const [port = 0] = await freePorts(1)
    page = await startPage({ directory, port, environment: { HAWSER_DATA_DIR: directory } })
    url = `http://localhost:${port}`
    // As a build does that begins while a page is open.
    rmSync(directory, { recursive: true })
  })
  afterAll(() => page.stop())

  it.each([
    ['/', 'text/html;charset=utf-8', 'no-cache', 'the page'],
    ['/lab?theme=light', 'text/html;charset=utf-8', 'no-cache', 'the page'],
    ['/assets/main-a1.js', 'text/javascript;charset=utf-8', 'max-age=31536000, immutable', 'export {}'],
    ['/docs/', 'text/html;charset=utf-8', 'no-cache', 'the documentation'],
    ['/docs', 'text/html;charset=utf-8', 'no-cache', 'the documentation'],
    ['/docs/operate/backup', 'text/html;charset=utf-8', 'no-cache', 'backups'],
    ['/%zz', 'text/html;charset=utf-8', 'no-cache', 'the page'],
  ])('answers %s from what was built when it started', async (path, type, caching, text) => {
    const response = await fetch(url + path)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe(type)
    expect(response.headers.get('cache-control')).toBe(caching)
    expect(await response.text()).toBe(text)
  })

  it.each(['/assets/main-b2.js', '/../package.json', '/favicon.ico'])('has no file at %s', async (path) => {
    const response = await fetch(url + path)
    expect(response.status).toBe(404)
  })

  it('answers HEAD with the length alone', async () => {
    const response = await fetch(`${url}/`, { method: 'HEAD' })
    expect(response.headers.get('content-length')).toBe('8')
    expect(await response.text()).toBe('')
  })
})
