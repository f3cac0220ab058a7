/** Shows the modal itself where the demo page serves the documentation and has said where; elsewhere the page has pictures of it. */
export function demo(): void {
  const place = document.querySelector<HTMLElement>('[data-demo]')
  if (!place?.dataset.demo) return
  const frame = document.createElement('iframe')
  frame.className = 'demo-frame'
  frame.title = 'The modal, live'
  frame.src = `${place.dataset.demo}?theme=${document.documentElement.dataset.theme}`
  place.replaceChildren(frame)
}
