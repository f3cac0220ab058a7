import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { startChild } from './child.mjs'

const directory = mkdtempSync(join(tmpdir(), 'hawser-child-test-'))
const log = join(directory, 'log', 'child.log')
afterAll(() => rmSync(directory, { recursive: true, force: true }))

describe('a child', () => {
  it('reports how it ended and the end of its output', async () => {
    const child = start('echo one; echo two >&2; exit 7')
    expect(await child.ended).toBe(7)
    expect(child.lastLines().sort()).toEqual(['one', 'two'])
  })

  it('writes its whole output to its log', async () => {
    await start('for n in 1 2 3; do echo line $n; done').ended
    await expect.poll(() => readFileSync(log, 'utf8')).toBe('line 1\nline 2\nline 3\n')
  })

  it('reports a command that does not exist', async () => {
    const child = startChild({ name: 'nobody', command: join(directory, 'nobody'), args: [], log })
    expect(await child.ended).toBe(127)
  })

  it('is stopped together with what it started', async () => {
    const child = start('sleep 1000 & echo $!; wait')
    const grandchild = await firstNumber(child)
    await child.stop()
    await expect.poll(() => isAlive(grandchild)).toBe(false)
  })

  it('gets SIGTERM before SIGKILL', async () => {
    const child = start('trap "echo tidied; exit 0" TERM; echo ready; while :; do sleep 0.02; done')
    await firstLine(child)
    await child.stop()
    expect(child.lastLines()).toContain('tidied')
    expect(await child.ended).toBe(0)
  })

  it('is killed when it does not stop within 5 s', async () => {
    const child = start('trap "" TERM; echo $$; while :; do sleep 0.05; done')
    const pid = await firstNumber(child)
    await child.stop()
    await expect.poll(() => isAlive(pid)).toBe(false)
  }, 15_000)

  it('does not outlive a parent that was killed', async () => {
    const script = `
      import { startChild } from ${JSON.stringify(new URL('./child.mjs', import.meta.url).href)}
      const child = startChild({ name: 'orphan', command: 'sh', args: ['-c', 'echo $$; exec sleep 1000'], log: ${JSON.stringify(log)} })
      child.onLine((line) => console.log(line))`
    const parent = spawn(process.execPath, ['--input-type=module', '--eval', script])
    const pid = Number(await new Promise((resolve) => parent.stdout.once('data', resolve)))
    expect(isAlive(pid)).toBe(true)
    parent.kill('SIGKILL')
    await expect.poll(() => isAlive(pid), { timeout: 5_000 }).toBe(false)
  })
})

function start(script: string) {
  return startChild({ name: 'child', command: 'sh', args: ['-c', script], log })
}

type Child = ReturnType<typeof start>

function firstLine(child: Child): Promise<string> {
  return new Promise((resolve) => child.onLine(resolve))
}

async function firstNumber(child: Child) {
  return Number(await firstLine(child))
}

function isAlive(pid: number) {
  try {
    // A zombie process still accepts signals; its state shows that it has exited.
    process.kill(pid, 0)
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
