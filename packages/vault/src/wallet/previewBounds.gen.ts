// Generated from proto/hawser/preview/v1/preview.proto by tools/previewBounds.mjs. DO NOT EDIT.

/** The rules of a field: items of a list, characters, bytes of UTF-8, and a regular expression for the text, or for each text of a list. */
export interface Bound {
  readonly maxItems?: number
  readonly maxLen?: number
  readonly maxBytes?: number
  readonly pattern?: string
}

/** The rules of what a request for a preview has, by field. */
export const previewBounds: Readonly<Record<string, Bound>> = {
  "chainId": {
    "pattern": "^(eip155:[1-9][0-9]{0,15}|solana:[1-9A-HJ-NP-Za-km-z]{32})$"
  },
  "account": {
    "pattern": "^(0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$"
  },
  "calls": {
    "maxItems": 50
  },
  "typedData": {
    "maxBytes": 131072
  },
  "message": {
    "maxBytes": 131074,
    "pattern": "^(0x([0-9a-fA-F]{2})*)?$"
  },
  "delegate": {
    "pattern": "^(0x[0-9a-fA-F]{40})?$"
  },
  "origin": {
    "maxLen": 512
  },
  "transaction": {
    "maxLen": 1644,
    "pattern": "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$"
  },
  "transactions": {
    "maxItems": 10,
    "maxLen": 1644,
    "pattern": "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$"
  },
  "maxFeePerGas": {
    "pattern": "^[0-9]{0,30}$"
  },
  "maxPriorityFeePerGas": {
    "pattern": "^[0-9]{0,30}$"
  },
  "to": {
    "pattern": "^(0x[0-9a-fA-F]{40})?$"
  },
  "value": {
    "pattern": "^[0-9]{0,78}$"
  },
  "data": {
    "maxBytes": 262146,
    "pattern": "^(0x([0-9a-fA-F]{2})*)?$"
  }
}
