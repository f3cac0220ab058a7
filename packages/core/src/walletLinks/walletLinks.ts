import type { ExtensionStore, WalletLink } from '../types/walletLink.ts'

const chrome = (path: string) => `https://chromewebstore.google.com/detail/${path}`
const edge = (path: string) => `https://microsoftedge.microsoft.com/addons/detail/${path}`
const mark = (name: string) => `/v1/assets/wallets/${name}.svg`
const firefox = (path: string) => `https://addons.mozilla.org/firefox/addon/${path}`

/**
 * The wallets that are offered to a visitor without one. The links of `open` are documented by the wallets:
 * https://docs.metamask.io/metamask-connect/evm/guides/metamask-exclusive/use-deeplinks,
 * https://docs.cdp.coinbase.com/coinbase-wallet/developer-guidance/mobile-dapp-integration,
 * https://developer.trustwallet.com/developer/develop-for-trust/deeplinking.
 */
export const defaultWalletLinks: readonly WalletLink[] = [
  {
    rdns: 'io.metamask',
    name: 'MetaMask',
    imageUrl: mark('metamask'),
    download: 'https://metamask.io/download/',
    extensions: {
      chrome: chrome('metamask/nkbihfbeogaeaoehlefnkodbefgpgknn'),
      edge: edge('metamask/ejbalbakoplchlghecdalmeeeajnimhm'),
      firefox: firefox('ether-metamask/'),
    },
    open: 'https://link.metamask.io/dapp/{location}',
  },
  {
    rdns: 'com.coinbase.wallet',
    name: 'Coinbase Wallet',
    imageUrl: mark('coinbase'),
    download: 'https://www.coinbase.com/wallet/downloads',
    extensions: { chrome: chrome('coinbase-wallet-extension/hnfanknocfeofbddgcijnmhnfnkdnaad') },
    open: 'https://go.cb-w.com/dapp?cb_url={url}',
  },
  {
    rdns: 'io.rabby',
    name: 'Rabby Wallet',
    imageUrl: mark('rabby'),
    download: 'https://rabby.io/',
    extensions: { chrome: chrome('rabby-wallet/acmacodkjbdgmoleebolmdjonilkdbch') },
  },
  {
    rdns: 'me.rainbow',
    name: 'Rainbow',
    imageUrl: mark('rainbow'),
    download: 'https://rainbow.me/download',
    extensions: {
      chrome: chrome('rainbow/opfgelmcmbiajamepnmloijbpoleiama'),
      firefox: firefox('rainbow-extension/'),
    },
  },
  {
    rdns: 'com.trustwallet.app',
    name: 'Trust Wallet',
    imageUrl: mark('trust'),
    download: 'https://trustwallet.com/download',
    extensions: { chrome: chrome('trust-wallet/egjidjbpglichdcondbcbdnbeeppgdph') },
    open: 'https://link.trustwallet.com/open_url?coin_id=60&url={url}',
  },
]

/** Returns where a browser installs the wallet from: its extension store, or else the download page. */
export function installUrl({ extensions, download }: WalletLink, store: ExtensionStore | undefined): string {
  return (store && extensions?.[store]) ?? download
}

/** Parameter of a page's URL that has the page connect the wallet whose browser opens it. */
const parameter = /[?&]hawser-connect=[^&]*/

/** Returns the link that opens this page in the wallet's own browser, where it connects the wallet; undefined without one. */
export function continueInWalletUrl(link: Pick<WalletLink, 'open'>, pageUrl: string): string | undefined {
  const url = new URL(withoutArrival(pageUrl))
  // Not by `searchParams`, which writes the site's own parameters anew.
  url.search += `${url.search ? '&' : '?'}hawser-connect=1`
  return openInWalletUrl(link, url.href)
}

/** Returns the URL of a page without the parameter that has it connect a wallet. */
export function withoutArrival(pageUrl: string): string {
  const url = new URL(pageUrl)
  url.search = url.search.replace(parameter, '').replace(/^&/, '?')
  return url.href
}

/** Returns the link that opens a page in the wallet's own browser; undefined without one. */
export function openInWalletUrl({ open }: Pick<WalletLink, 'open'>, pageUrl: string): string | undefined {
  return open && fill(open, new URL(pageUrl))
}

/** Fills in the placeholders of a link, the innermost first. Those that are not known stay. */
function fill(link: string, { href, origin }: URL): string {
  // A browser leaves braces in a query, where they would be taken for placeholders.
  const page = href.replace(/[{}]/g, (brace) => encodeURIComponent(brace))
  const values = new Map([
    ['url', encodeURIComponent(page)],
    ['location', page.replace(/^[a-z]+:\/\//, '')],
    ['page', page],
    ['ref', encodeURIComponent(origin)],
  ])
  const encoders = new Map([
    ['encode', encodeURIComponent],
    ['base64', btoa],
  ])
  let filled = link
  for (let before = ''; filled !== before; ) {
    before = filled
    filled = filled.replace(/\{(\w+)(?::([^{}]*))?\}/g, (placeholder, name: string, text?: string) => {
      const value = text === undefined ? values.get(name) : encoders.get(name)?.(text)
      return value ?? placeholder
    })
  }
  return filled
}
