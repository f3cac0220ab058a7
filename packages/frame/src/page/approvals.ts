import type { WalletEvents } from './walletEvents.ts'

/** What waits for the user in the frame: requests of the site, and sheets that the frame itself reports. */
export interface Approvals {
  /** Makes a request that the user has to approve. */
  approved<T>(method: string, request: () => Promise<T>): Promise<T>
  showSheet(): void
  hideSheet(): void
  /** Hides the sheets of a frame that is gone. */
  hideSheets(): void
}

/** Creates approvals, of which the first and the last are told to the subscribers. */
export function createApprovals({ emit }: Pick<WalletEvents, 'emit'>): Approvals {
  let open = 0
  /** Those of them that the frame itself reported. */
  let sheets = 0

  function begin(method: string): void {
    open += 1
    emit('approval', { method })
  }

  function end(): void {
    open -= 1
    if (open === 0) emit('approvalEnd', undefined)
  }

  function hideSheet(): void {
    if (sheets === 0) return
    sheets -= 1
    end()
  }

  return {
    async approved(method, request) {
      begin(method)
      try {
        return await request()
      } finally {
        end()
      }
    },
    showSheet() {
      sheets += 1
      begin('')
    },
    hideSheet,
    hideSheets() {
      while (sheets > 0) hideSheet()
    },
  }
}
