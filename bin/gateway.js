#!/usr/bin/env node
// The name that this program had before: what people have written with it goes on working.
import './svc-mcp.js';
