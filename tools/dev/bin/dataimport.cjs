#!/usr/bin/env node
require('../../../bin/dataimport.js');
