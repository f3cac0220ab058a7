import { HawserProvider } from '@hawser/react'
import '@hawser/react/styles.css'
import { createRoot } from 'react-dom/client'
import { App } from './App.tsx'
import { hawser } from './hawser.ts'

createRoot(document.getElementById('root') as HTMLElement).render(
  <HawserProvider hawser={hawser}>
    <App />
  </HawserProvider>,
)
