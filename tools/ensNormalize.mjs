// Writes services/names/ensip15/normalize.gen.js, the reference implementation of ENSIP-15 as its package on npm has it, with its licence.
//   node tools/ensNormalize.mjs
import { readFile, writeFile } from 'node:fs/promises'

const folder = new URL('..', import.meta.resolve('@adraffy/ens-normalize'))
const { version } = JSON.parse(await readFile(new URL('package.json', folder), 'utf8'))
const licence = await readFile(new URL('LICENSE', folder), 'utf8')
const source = await readFile(new URL('dist/index.cjs', folder), 'utf8')
const header = [`@adraffy/ens-normalize ${version}`, '', ...licence.trim().split('\n')].map((line) =>
  `// ${line}`.trimEnd(),
)
await writeFile(
  new URL('../services/names/ensip15/normalize.gen.js', import.meta.url),
  `${header.join('\n')}\n${source}`,
)
