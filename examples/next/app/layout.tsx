import { readConnectionCookie } from '@hawser/core/cookie'
import '@hawser/react/styles.css'
import type { Metadata } from 'next'
import { headers } from 'next/headers'
import type { ReactNode } from 'react'
import { Providers } from './providers'

export const metadata: Metadata = { title: 'Hawser on Next.js' }

export default async function Layout({ children }: { children: ReactNode }) {
  const saved = readConnectionCookie((await headers()).get('cookie'))
  return (
    <html lang="en">
      <body>
        <Providers saved={saved}>{children}</Providers>
      </body>
    </html>
  )
}
