/** The messages of `thrown` that are needed before the modal is loaded: bundlers cannot split an object. */
export const thrownEarly = {
  chainRequired: 'Chain is required to update chain account data',
  networkNotFound: 'Network not found',
} as const
