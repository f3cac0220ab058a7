import highlighter from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import css from 'highlight.js/lib/languages/css'
import go from 'highlight.js/lib/languages/go'
import ini from 'highlight.js/lib/languages/ini'
import json from 'highlight.js/lib/languages/json'
import sql from 'highlight.js/lib/languages/sql'
import typescript from 'highlight.js/lib/languages/typescript'
import xml from 'highlight.js/lib/languages/xml'
import yaml from 'highlight.js/lib/languages/yaml'
import { escapeHtml } from './html.ts'

const languages = { bash, css, go, ini, json, sql, typescript, xml, yaml }
for (const [name, language] of Object.entries(languages)) highlighter.registerLanguage(name, language)
highlighter.registerAliases(['js', 'jsx'], { languageName: 'typescript' })

/** Returns code as HTML with a span for each kind of word; code in an unknown language is only escaped. */
export function highlight(text: string, language: string): string {
  if (!highlighter.getLanguage(language)) return escapeHtml(text)
  return highlighter.highlight(text, { language }).value
}
