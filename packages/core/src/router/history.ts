import type { RouterData, RouterState, View } from '../types/router.ts'

export const initialRouter: RouterState = {
  view: 'Connect',
  history: ['Connect'],
  data: undefined,
}

/** Pushing the view that is already shown does nothing. */
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

/** The state one view back, or undefined when going back means closing the modal. */
export function back(state: RouterState): RouterState | undefined {
  if (state.history.includes('UnsupportedChain')) return undefined
  return backTo(state, state.history.length - 2)
}

/** The state at a place in the history, or undefined when there is no such place. */
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
