/** Scrolls the menu to the current page, without moving the page: at once, and on a phone when it is opened. */
export function menu(): void {
  const menu = document.getElementById('menu')
  const current = menu?.querySelector<HTMLElement>('[aria-current]')
  if (!menu || !current) return
  const show = () => {
    menu.scrollTop = current.offsetTop - menu.clientHeight / 2
  }
  show()
  menu.addEventListener('toggle', show)
}
