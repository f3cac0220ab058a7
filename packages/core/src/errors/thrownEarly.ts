/** Those of `thrown` that a page needs before the modal is loaded, for bundlers cannot split an object. */
export const thrownEarly = {
  chainRequired: 'Chain is required to update chain account data',
  networkNotFound: 'Network not found',
} as const
