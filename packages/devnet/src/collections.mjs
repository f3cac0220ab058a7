import { accounts } from './accounts.mjs'

/**
 * One contract whose tokens are of their kind. Lists are in deployment order: add to the end, for the order decides the addresses.
 *
 * @typedef {object} CollectionPlan
 * @property {string} id unique on its chain; the key in `contracts`
 * @property {'TestCollectible' | 'TestEdition'} contract
 * @property {string} name
 * @property {string} symbol
 * @property {MintPlan[]} mints
 */

/**
 * @typedef {object} MintPlan
 * @property {bigint} tokenId
 * @property {`0x${string}`} holder
 * @property {bigint} quantity 1 in a TestCollectible
 * @property {string} uri where its metadata is, or the metadata itself; empty for none
 */

const [zero, one] = accounts.map((account) => account.address)
if (!zero || !one) throw new Error('the mnemonic gave too few accounts')

/** Eight by eight pixels, a blue chequer. */
const chequer =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAMAAADz0U65AAAABlBMVEUMSm590/xZKGqEAAAAFklEQVR42mNgYGBkhGAYA53PwECEGgAEyAAh72d2gQAAAABJRU5ErkJggg=='

const anchor = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><defs><linearGradient id="sea" x2="0" y2="1"><stop stop-color="#7dd3fc"/><stop offset="1" stop-color="#0c4a6e"/></linearGradient></defs><rect width="64" height="64" fill="url(#sea)"/><g fill="none" stroke="#fff" stroke-width="4" stroke-linecap="round"><circle cx="32" cy="16" r="5"/><path d="M32 21v31M22 29h20M14 40c2 8 9 12 18 12s16-4 18-12"/></g></svg>`

/**
 * A picture with everything that a picture must not do: run scripts, load files, and send its viewer to
 * another site.
 */
const hostile = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 64 64" onload="document.title='ran'"><script>document.title='ran'</script><style>@import url(https://elsewhere.invalid/a.css);</style><foreignObject width="64" height="64"><body xmlns="http://www.w3.org/1999/xhtml"><img src="x" onerror="document.title='ran'"/></body></foreignObject><a xlink:href="javascript:document.title='ran'"><rect width="64" height="64" fill="#be123c" style="fill:url(https://elsewhere.invalid/a.svg#b)"/></a><image href="https://elsewhere.invalid/seen.png" width="8" height="8"/><circle cx="32" cy="32" r="16" fill="#fff"/></svg>`

/** @type {CollectionPlan[]} */
export const collections = [
  {
    id: 'ANCHOR',
    contract: 'TestCollectible',
    name: 'Anchors',
    symbol: 'ANCHOR',
    mints: [
      {
        tokenId: 1n,
        holder: zero,
        quantity: 1n,
        uri: encoded({
          name: 'Anchor #1',
          description: 'Drawn on the chain itself.',
          image: `data:image/svg+xml;base64,${Buffer.from(anchor).toString('base64')}`,
          attributes: [
            { trait_type: 'Sea', value: 'Calm' },
            { trait_type: 'Fathoms', value: 12 },
          ],
        }),
      },
      {
        tokenId: 2n,
        holder: zero,
        quantity: 1n,
        uri: plain({ name: 'Anchor #2', description: 'Pixels on the chain.', image: chequer }),
      },
      { tokenId: 3n, holder: one, quantity: 1n, uri: plain({ name: 'Anchor #3', image: chequer }) },
      { tokenId: 4n, holder: zero, quantity: 1n, uri: '' },
      {
        tokenId: 5n,
        holder: zero,
        quantity: 1n,
        uri: encoded({
          name: 'Anchor #5',
          description: '<b>Not</b> what it seems.',
          image: `data:image/svg+xml,${encodeURIComponent(hostile)}`,
        }),
      },
      { tokenId: 6n, holder: zero, quantity: 1n, uri: 'http://169.254.169.254/latest/meta-data/' },
    ],
  },
  {
    id: 'MOORING',
    contract: 'TestEdition',
    name: 'Moorings',
    symbol: 'MOOR',
    mints: [
      { tokenId: 1n, holder: zero, quantity: 3n, uri: plain({ name: 'Berth', image: chequer }) },
      { tokenId: 1n, holder: one, quantity: 2n, uri: plain({ name: 'Berth', image: chequer }) },
      {
        tokenId: 2n ** 256n - 1n,
        holder: zero,
        quantity: 2n ** 128n + 1n,
        uri: plain({ name: 'The last berth', image: chequer }),
      },
    ],
  },
  {
    id: 'AIRDROP',
    contract: 'TestCollectible',
    name: 'Claim at https://elsewhere.invalid',
    symbol: 'CLAIM',
    mints: [{ tokenId: 1n, holder: zero, quantity: 1n, uri: plain({ name: 'Voucher', image: chequer }) }],
  },
]

/** @param {object} metadata */
function encoded(metadata) {
  return `data:application/json;base64,${Buffer.from(JSON.stringify(metadata)).toString('base64')}`
}

/** @param {object} metadata */
function plain(metadata) {
  return `data:application/json,${encodeURIComponent(JSON.stringify(metadata))}`
}
