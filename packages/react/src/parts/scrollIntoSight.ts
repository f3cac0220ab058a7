/** A ref that scrolls an element into the visible part of its card when it appears. */
export function scrollIntoSight(element: HTMLElement | null): void {
  element?.scrollIntoView?.({ block: 'nearest' })
}
