#!/usr/bin/env node
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { ask } from './ask.ts'
import { checkSite, type Site, writeSite } from './site.ts'
import { templates } from './templates.ts'

const usage = `Writes a site with Hawser.

  npm create hawser [folder] -- [--template name] [--gateway url] [--project-id id]

Templates:
${Object.entries(templates)
  .map(([name, what]) => `  ${name.padEnd(6)} ${what}`)
  .join('\n')}
`

try {
  await main()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      template: { type: 'string', short: 't' },
      gateway: { type: 'string' },
      'project-id': { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) {
    process.stdout.write(usage)
    return
  }
  const { template, gateway, 'project-id': projectId } = values
  const given = { folder: positionals[0], template, gateway, projectId }
  const site = checkSite(await ask(given, { input: process.stdin, output: process.stdout }))
  await writeSite(site, fileURLToPath(new URL('../templates/', import.meta.url)))
  process.stdout.write(nextSteps(site))
}

function nextSteps({ folder, template }: Site): string {
  const start = template === 'html' ? 'npx serve' : 'npm run dev'
  const path = relative('.', folder)
  return `\nThe site is in ${folder}. To start it:\n\n${path ? `  cd ${path}\n` : ''}  npm install\n  ${start}\n`
}
