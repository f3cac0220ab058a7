'use client'

import { injected, walletConnect } from '@hawser/connectors'
import { createHawser } from '@hawser/core'
import { connectionCookie, type SavedConnection } from '@hawser/core/cookie'
import { AccountButton, HawserProvider } from '@hawser/react'
import { createSiwx } from '@hawser/siwe'
import { type ReactNode, useState } from 'react'
import { gatewayUrl, projectId } from './gateway'
import { networks } from './networks'

/** Creates the instance: on the server one for each request, in the browser one for the page. */
export function Providers({ saved, children }: { saved: SavedConnection | undefined; children: ReactNode }) {
  const [hawser] = useState(() =>
    createHawser({
      baseUrl: gatewayUrl,
      projectId,
      networks,
      connectors: [injected(), walletConnect()],
      siwx: createSiwx({ url: '/api/auth' }),
      connectionCookie: connectionCookie(saved),
    }),
  )
  return (
    <HawserProvider hawser={hawser} accountButton={AccountButton}>
      {children}
    </HawserProvider>
  )
}
