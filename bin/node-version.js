'use strict';

// The same ranges as "engines" in package.json; a test compares them. The bundled HTTP client needs 22.19. Odd versions
// are no longer maintained half a year after they appear.
function isSupported(version) {
  var parts = version.split('.');
  var major = parseInt(parts[0], 10);
  var minor = parseInt(parts[1], 10);
  if (major === 22) return minor >= 19;
  return major === 24 || major >= 26;
}

/** The sentence for a user whose Node is too old; undefined for a supported one. */
function unsupportedReason(version, execPath) {
  if (isSupported(version)) return undefined;
  return (
    'needs Node.js 22.19 or later in 22, 24, or 26 and newer, but this is ' +
    version +
    ' (' +
    execPath +
    '); install the current LTS from https://nodejs.org/ and run the command again.'
  );
}

exports.isSupported = isSupported;
exports.unsupportedReason = unsupportedReason;
