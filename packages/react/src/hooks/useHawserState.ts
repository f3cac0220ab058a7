import { useStore } from 'zustand'
import type { StoreApi } from 'zustand/vanilla'

/** Subscribes to a part of one store; renders again only when the selected value changes. */
export function useHawserState<State, Value>(
  store: StoreApi<State>,
  selector: (state: State) => Value,
): Value {
  return useStore(store, selector)
}
