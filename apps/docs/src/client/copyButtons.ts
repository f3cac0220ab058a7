const shownFor = 1500

/** Gives every block of code a button that copies it. */
export function copyButtons(): void {
  for (const block of document.querySelectorAll<HTMLElement>('figure.code')) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'copy'
    button.textContent = 'Copy'
    button.addEventListener('click', () => void copy(block, button))
    block.append(button)
  }
}

async function copy(block: HTMLElement, button: HTMLButtonElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(block.querySelector('code')?.textContent ?? '')
    button.textContent = 'Copied'
  } catch {
    button.textContent = 'Not copied'
  }
  setTimeout(() => {
    button.textContent = 'Copy'
  }, shownFor)
}
