import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { mnemonicToEntropy } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english'
import { mnemonicToAccount } from 'viem/accounts'
import { eventually } from '../kit/eventually.mjs'
import { addPasskey, openScreen, readWords, submitPassword } from '../kit/walletAccount.mjs'

const PASSWORD = 'correct horse battery staple'

/**
 * The traces that the gateway exports.
 *
 * @type {Buffer[]}
 */
const traces = []
const collector = createServer((request, response) => {
  /** @type {Buffer[]} */
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    const body = Buffer.concat(chunks)
    traces.push(request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body)
    response.end()
  })
})
await new Promise((resolve) => collector.listen(0, '127.0.0.1', () => resolve(undefined)))
after(() => collector.close())
const { port } = /** @type {import('node:net').AddressInfo} */ (collector.address())
// The gateway inherits the environment of the test.
process.env.OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${port}`
process.env.OTEL_EXPORTER_OTLP_PROTOCOL = 'http/protobuf'
process.env.HAWSER_LOG_LEVEL = 'debug'

const { addressOf, findInMail, newEmail, newProfile, openAccount, openSite, shop, sign, signIn } =
  await import('../kit/frame.mjs')
const { home } = await import('../kit/ownStack.mjs')

/**
 * Returns a secret in the forms in which it may leak.
 *
 * @param {Uint8Array | string} secret
 */
function formsOf(secret) {
  const bytes = Buffer.from(secret)
  const wide = Buffer.from(bytes.toString('latin1'), 'utf16le')
  const base64 = bytes.toString('base64').replace(/=+$/, '')
  return [
    bytes,
    wide,
    Buffer.from(bytes.toString('hex')),
    Buffer.from(base64),
    Buffer.from(bytes.toString('base64url')),
  ]
}

/**
 * Names the secrets that are in a dump.
 *
 * @param {Buffer} dump
 * @param {Record<string, Uint8Array | string>} secrets
 */
function found(dump, secrets) {
  return Object.entries(secrets).flatMap(([name, secret]) =>
    formsOf(secret).some((form) => dump.includes(form)) ? [name] : [],
  )
}

/** @param {string} directory @returns {Buffer} every file below it */
function read(directory) {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((file) =>
    file.isFile(),
  )
  return Buffer.concat(files.map(({ parentPath, name }) => readFileSync(join(parentPath, name))))
}

test('no key, word or password leaves the frame, and the server keeps and reports no secret', {
  timeout: 120_000,
}, async () => {
  const har = join(tmpdir(), `frame-${process.pid}.har`)
  const { context } = await newProfile({ har })
  const page = await openSite(context, shop)
  const email = newEmail()
  await signIn(page, email)
  const code = await findInMail(email, /\b(\d{6})\b/)
  const address = await addressOf(page)
  await sign(page, 'hello')

  const account = await openAccount(page)
  await openScreen(account, 'Back up your wallet')
  const words = (await readWords(account)).join(' ')
  await addPasskey(account)
  await account.getByRole('button', { name: /^Add a password/ }).click()
  await submitPassword(account, PASSWORD, 'Add a password')
  await account.getByRole('button', { name: /^Add a password.*Done$/ }).waitFor()
  await account.getByRole('button', { name: /^Save a recovery kit/ }).click()
  const downloading = account.waitForEvent('download')
  await submitPassword(account, PASSWORD, 'Save a recovery kit')
  await downloading
  await page.evaluate(() => window.wallet.signOut())
  await context.close()

  const entries = JSON.parse(readFileSync(har, 'utf8')).log.entries
  const bodies = entries.map((/** @type {any} */ { request, response }) => {
    const { text = '', encoding } = response.content
    return `${JSON.stringify(request)} ${encoding === 'base64' ? Buffer.from(text, 'base64').toString('latin1') : text}`
  })
  const network = Buffer.from(bodies.join('\n'), 'latin1')
  const tokens = [...network.toString('latin1').matchAll(/"(?:access|refresh)Token":"([^"]{20,})"/g)].map(
    ([, token = '']) => token,
  )
  assert.ok(tokens.length >= 2, 'the responses have the tokens')

  const key = mnemonicToAccount(words).getHdKey().privateKey ?? new Uint8Array()
  assert.equal(mnemonicToAccount(words).address, address)
  const kept = { words, entropy: mnemonicToEntropy(words, wordlist), key, password: PASSWORD }
  assert.deepEqual(found(network, kept), [])

  const shared = Object.fromEntries(tokens.map((token, at) => [`token ${at}`, token]))
  assert.deepEqual(found(read(home), { ...kept, ...shared }), [])
  await eventually(async () => {
    assert.ok(Buffer.concat(traces).includes('hawser.wallet.v1'), 'the traces name calls of the wallet')
  }, 20_000)
  const reported = Buffer.concat([...traces, readFileSync(join(home, 'log', 'hawser.log'))])
  assert.deepEqual(found(reported, { ...kept, ...shared, email }), [])
  assert.doesNotMatch(reported.toString('latin1'), new RegExp(`(?<![\\d.])${code}(?!\\d)`))
})
