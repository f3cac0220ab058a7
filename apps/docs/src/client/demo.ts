/** Shows the demo in a frame if the demo page serves the documentation and has set its address; otherwise the page has pictures. */
export function demo(): void {
  const place = document.querySelector<HTMLElement>('[data-demo]')
  if (!place?.dataset.demo) return
  const frame = document.createElement('iframe')
  frame.className = 'demo-frame'
  frame.title = 'The modal, live'
  frame.src = `${place.dataset.demo}?theme=${document.documentElement.dataset.theme}`
  place.replaceChildren(frame)
}
