import { toasts } from '@hawser/texts/en/toasts'
import { messagesOf } from '@hawser/texts/message'

/** Makes the message of a toast by its key. */
export const toast = messagesOf('toasts', toasts)
