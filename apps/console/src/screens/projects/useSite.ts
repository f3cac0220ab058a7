import { useConsole, useMay } from '../../api/ApiContext.ts'
import { useRead } from '../../api/useRead.ts'
import { Role } from '../../gen/hawser/options/v1/options_pb.ts'
import { useHealth } from '../../shell/HealthContext.ts'
import type { Site } from '../../studio/exportCode.ts'
import { frameOriginOf, gatewayUrlOf } from '../../studio/siteUrls.ts'

/** Addresses that stand for those of an installation that is not known. */
const EXAMPLE_GATEWAY = 'https://wallet.example.com'

/** Where the code of a project connects to, and whether that was read from the settings. */
export interface KnownSite {
  readonly site: Site
  /** Whether the address of the gateway is that of this installation; undefined while it is read. */
  readonly isKnown: boolean | undefined
}

/** Returns where the code of a project connects to: by the settings, for those who may see them. */
export function useSite(projectId: string): KnownSite {
  const { api } = useConsole()
  const { health } = useHealth()
  const maySee = useMay(Role.OPERATOR)
  const settings = useRead(maySee ? 'settings' : undefined, (signal) =>
    api.settings.listSettings({}, { signal }),
  )
  const settingOf = (key: string) =>
    settings.data?.settings.find((setting) => setting.key === key)?.value.replace(/^["']|["']$/g, '') ?? ''
  const gatewayUrl = gatewayUrlOf(settingOf('public_url'), settingOf('listen.gateway'))
  const chains = health?.suite?.processes.flatMap((process) => process.chains.map(({ chainId }) => chainId))
  return {
    site: {
      projectId,
      gatewayUrl: gatewayUrl || EXAMPLE_GATEWAY,
      frameOrigin: frameOriginOf(settingOf('frame.origin'), settingOf('listen.frame')),
      chains: [...new Set(chains)],
    },
    isKnown: settings.isLoading ? undefined : gatewayUrl !== '',
  }
}
