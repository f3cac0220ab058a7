/** A flask on a dark square, the same icon as that of the Dev wallet of EVM chains. */
export const DEV_WALLET_ICON = `data:image/svg+xml;base64,${btoa(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" fill="#123b52"/><g fill="none" stroke="#8ecfff" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round"><path d="M16.5 10h7M18 10v7.2l-6 10.3a2 2 0 0 0 1.8 3h12.4a2 2 0 0 0 1.8-3l-6-10.3V10"/><path fill="#8ecfff" fill-opacity=".35" d="m15.4 22.5h9.2l3 5.2a1.6 1.6 0 0 1-1.4 2.4H13.8a1.6 1.6 0 0 1-1.4-2.4z"/></g></svg>',
)}` as const

/**
 * Throws the error of a wallet whose visitor declines, if `isRefused`.
 *
 * @throws Error with code 4001.
 */
export function refuseIf(isRefused: boolean | Error | undefined): void {
  if (isRefused) throw Object.assign(new Error('User rejected the request.'), { code: 4001 })
}
