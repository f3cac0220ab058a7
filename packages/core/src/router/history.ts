import type { RouterData, RouterState, View } from '../types/router.ts'

export const initialRouter: RouterState = {
  view: 'Connect',
  history: ['Connect'],
  data: undefined,
}

/** Returns the state with a view pushed; unchanged if the view is shown already. */
export function pushed(state: RouterState, view: View, data?: RouterData): RouterState {
  if (view === state.view) return state
  return { ...state, view, data, history: [...state.history, view] }
}

export function replaced(state: RouterState, view: View, data?: RouterData): RouterState {
  if (view === state.view) return state
  return { ...state, view, data, history: [...state.history.slice(0, -1), view] }
}

export function reset(state: RouterState, view: View, data?: RouterData): RouterState {
  return { ...state, view, data, history: [view] }
}

/** Returns the state one view back; undefined if that closes the modal. */
export function back(state: RouterState): RouterState | undefined {
  if (state.history.includes('UnsupportedChain')) return undefined
  return backTo(state, state.history.length - 2)
}

/** Returns the state at an index of the history; undefined if there is none. */
export function backTo(state: RouterState, index: number): RouterState | undefined {
  const view = state.history[index]
  return (
    view && { ...state, view, data: withoutWallet(state.data), history: state.history.slice(0, index + 1) }
  )
}

function withoutWallet(data: RouterData | undefined): RouterData | undefined {
  if (!data?.wallet) return data
  const { wallet: _, ...rest } = data
  return rest
}
