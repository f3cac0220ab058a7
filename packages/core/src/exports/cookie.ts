export { connectionCookie } from '../cookie/connectionCookie.ts'
export { readConnectionCookie } from '../cookie/savedConnection.ts'
export type { ConnectionCookie, SavedAccount, SavedConnection } from '../types/connectionCookie.ts'
