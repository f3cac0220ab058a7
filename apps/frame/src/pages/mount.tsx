import { type ComponentChild, render } from 'preact'

/** Draws a page of its own, with a heading. */
export function mount(title: string, content: ComponentChild): void {
  const root = document.getElementById('root')
  if (!root) throw new Error('page has no root')
  document.title = title
  document.documentElement.dataset.page = 'lone'
  render(
    <main class="page">
      <h1>{title}</h1>
      {content}
    </main>,
    root,
  )
}
