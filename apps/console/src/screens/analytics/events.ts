/** The events of the page that the screens count together. */
export const OPENED = ['MODAL_OPEN']
export const SELECTED = ['SELECT_WALLET', 'EMAIL_LOGIN_SELECTED', 'SOCIAL_LOGIN_STARTED']
export const CONNECTED = ['CONNECT_SUCCESS']
export const SIGNED_IN = ['SIWX_AUTH_SUCCESS']
export const SENT = ['SEND_SUCCESS']
export const SWAPPED = ['SWAP_SUCCESS']
export const BOUGHT = ['BUY_SUCCESS']
