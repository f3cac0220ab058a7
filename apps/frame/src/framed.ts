import { findLanguage, loadLanguage } from '@hawser/texts/frame/loadLanguage'
import {
  type Appearance,
  createApprovals,
  createBundlerClient,
  createNode,
  fetchFor,
  isAllowedOrigin,
  serveSite,
  waitForSite,
} from '@hawser/vault'
import type { FrameConfig } from './config.ts'
import { acceptHandovers } from './handover.ts'
import { logMessages } from './logMessages.ts'
import { isListed } from './networks.ts'
import { applyTheme } from './theme.ts'
import { startVault } from './vaultHost.ts'
import { createDraw } from './views/drawSheets.ts'

/** Serves the page that embeds this one. */
export async function startFramed({ projectId, origins, local }: FrameConfig): Promise<void> {
  const query = new URLSearchParams(location.search)
  const found = await waitForSite({
    window,
    isAllowed: (origin) => isAllowedOrigin(origin, origins, local),
    version: query.get('version') ?? '',
    ancestorOrigin: ancestorOrigin(),
  })
  const site = query.get('enableLogger') === 'true' ? logMessages(found, console) : found
  const approvals = createApprovals()
  const host = startVault({ projectId, pageOrigin: site.origin }, () => site.emit('SIGNED_OUT'))
  acceptHandovers(host, site.origin)

  const calls = { projectId, fetch: fetchFor(site.origin, (input, init) => fetch(input, init)) }
  let appearance: Appearance = { themeMode: undefined, themeVariables: {}, locale: '', siteName: '' }
  const page = {
    // Older SDKs do not know this message.
    resized: (height: number) => !site.isLegacy && site.emit('HEIGHT', height),
    // They draw a header with a close button above the frame.
    hasCloseButton: site.isLegacy,
  }
  // The view and its language are loaded with the first request.
  const drawSheets = createDraw({
    approvals,
    loadView: async () => (await import('./views/sheets.tsx')).createSheetView(calls, page),
    loadLanguage: (locale) => loadLanguage(findLanguage(locale, navigator)),
  })
  approvals.subscribe(() => drawSheets(appearance))

  serveSite({
    site,
    vault: host.vault,
    node: createNode(calls),
    bundler: createBundlerClient(calls),
    approvals,
    chainId: query.get('chainId') ?? 'eip155:1',
    isListed: (chainId) => isListed(projectId, chainId),
    socialStart: (state) => `${location.origin}/social/start#${state}`,
    accountPage: `${location.origin}/account?projectId=${encodeURIComponent(projectId)}`,
    reload: () => location.reload(),
    changeAppearance(change) {
      appearance = { ...appearance, ...change }
      applyTheme(appearance)
      drawSheets(appearance)
    },
  })
  window.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape' && !site.isLegacy) site.emit('DISMISS')
  })
  // Older SDKs refuse the message without a payload.
  if (site.isLegacy) site.emit('READY', {})
}

/** Returns the origin of the embedding page: from `location.ancestorOrigins`, or else from the referrer. */
function ancestorOrigin(): string | undefined {
  const { ancestorOrigins } = location as { ancestorOrigins?: DOMStringList }
  if (ancestorOrigins?.length) return ancestorOrigins[0]
  try {
    return new URL(document.referrer).origin
  } catch {
    return undefined
  }
}
