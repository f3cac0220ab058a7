import {
  type Appearance,
  createApprovals,
  createBundlerClient,
  createNode,
  fetchFor,
  isAllowedOrigin,
  serveSite,
  waitForSite,
} from '@hawser/frame/wallet'
import type { FrameConfig } from './config.ts'
import { acceptHandovers } from './handover.ts'
import type { Language } from './locale/language.ts'
import { loadLanguage } from './locale/loadLanguage.ts'
import { logMessages } from './logMessages.ts'
import { applyTheme } from './theme.ts'
import { startVault } from './vaultHost.ts'

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
  acceptHandovers(host)

  const calls = { projectId, fetch: fetchFor(site.origin, (input, init) => fetch(input, init)) }
  let appearance: Appearance = { themeMode: undefined, themeVariables: {}, locale: '', siteName: '' }
  let render: ((appearance: Appearance, language: Language | undefined) => void) | undefined
  async function draw() {
    const [{ mountSheets }, language] = await Promise.all([
      import('./views/sheets.tsx'),
      loadLanguage(appearance.locale),
    ])
    render ??= mountSheets({ approvals, calls })
    render(appearance, language)
  }
  // The sheets and their language are loaded with the first request.
  approvals.subscribe((sheet) => {
    if (sheet || render) draw()
  })

  serveSite({
    site,
    vault: host.vault,
    node: createNode(calls),
    bundler: createBundlerClient(calls),
    approvals,
    chainId: query.get('chainId') ?? 'eip155:1',
    reload: () => location.reload(),
    changeAppearance(change) {
      appearance = { ...appearance, ...change }
      applyTheme(appearance)
      if (render) draw()
    },
  })
  window.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape' && !site.isLegacy) site.emit('DISMISS')
  })
  // Older SDKs refuse the message without a payload.
  if (site.isLegacy) site.emit('READY', {})
}

/** Returns the origin of the embedding page: as the browser has it, or by the referrer. */
function ancestorOrigin(): string | undefined {
  const { ancestorOrigins } = location as { ancestorOrigins?: DOMStringList }
  if (ancestorOrigins?.length) return ancestorOrigins[0]
  try {
    return new URL(document.referrer).origin
  } catch {
    return undefined
  }
}
