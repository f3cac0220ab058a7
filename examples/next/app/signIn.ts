import { createSignInServer } from '@hawser/siwe/server'
import { gatewayUrl, projectId } from './gateway'

/** Signs visitors in; the gateway keeps the sessions. */
export const signIn = createSignInServer({
  gatewayUrl,
  projectId,
  origin: process.env.SITE_ORIGIN ?? 'http://localhost:3000',
})
